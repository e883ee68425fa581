// @ts-check

export const help = `Usage: palimpsest completion <bash|zsh|fish>

Prints a script that completes the command’s words in that shell:

  bash  echo 'source <(palimpsest completion bash)' >> ~/.bashrc
  zsh   echo 'source <(palimpsest completion zsh)' >> ~/.zshrc
  fish  palimpsest completion fish > ~/.config/fish/completions/palimpsest.fish

Options:
  -h, --help  show this
`;
