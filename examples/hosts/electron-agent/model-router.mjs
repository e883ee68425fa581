// @ts-check
/** @param {string} url @param {object[]} messages @returns {Promise<any>} @throws the provider's error */
export async function chat(url, messages) {
  const body = JSON.stringify({ model: 'agent-large', messages });
  const response = await fetch(`${url}/chat/completions`, { method: 'POST', body });
  const text = await response.text();
  if (!response.ok) throw new Error(`DeepSeek API error: ${response.status} - ${text}`);
  return JSON.parse(text).choices[0].message;
}
