// @ts-check

export const help = `Usage: palimpsest sanitize [options] [file]

Reads a JSON array of tool results (or of messages) from the file or standard
input, and prints it with binary data replaced by placeholders; everything else
stays as written. Text that is no JSON array of objects is printed unchanged,
with a note on standard error.

Options:
  --fields <a,b>  fields whose value is binary data whatever it looks like
                  (default imageBase64, screenshotData, pdfImages, audioData,
                  videoData)
  -h, --help      show this
`;
