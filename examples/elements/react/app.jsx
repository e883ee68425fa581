/** React 19 passes objects to custom elements as properties, and `on…` props as listeners. */
import 'palimpsest/elements';
import { useEffect, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';

function App() {
  const [messages, setMessages] = useState([]);
  const [picture, setPicture] = useState(null);
  const [place, setPlace] = useState({});
  const [heard, setHeard] = useState('');
  const dialog = useRef(null);
  useEffect(() => {
    const read = (path) => fetch(path).then((response) => response.json());
    read('/session.json').then(setMessages);
    read('/picture.json').then(setPicture);
  }, []);
  const limit = { message: 'The conversation is too long.', requestedTokens: 180_000, maxTokens: 131_072 };
  const opened = ({ detail }) => setHeard(`Opened level ${detail.level}: ${detail.originalCount} messages`);
  return (
    <>
      <h1>React</h1>
      <button type="button" id="too-long" onClick={() => dialog.current.show(limit)}>
        Ask for too much
      </button>
      <compression-history messages={messages} onpoint-expand={opened} />
      <context-chart picture={picture} onrequest-change={({ detail }) => setPlace(detail)} />
      <context-map controls="none" picture={picture} {...place} />
      <context-limit-dialog ref={dialog} onnew-session={() => setHeard('A new session')} />
      <p id="heard">{heard}</p>
    </>
  );
}

createRoot(document.getElementById('app')).render(<App />);
