import { ContextStore } from '../../session/context-store.js'
import { verb } from '../../session/verb.js'
import { expandAlong } from '../expand.js'
import { choicesFor } from './choices.js'
import { SCRIPTS, type Shell } from './scripts.js'
import { oneOf } from '../../ground/arguments.js'

verb('completion', {
  takes: { '<shell>': oneOf('your shell', Object.keys(SCRIPTS) as Shell[]) },
  help: `  bash         eval "$(bearing completion bash)"            in ~/.bashrc
  zsh          eval "$(bearing completion zsh)"             in ~/.zshrc, after compinit
  fish         bearing completion fish | source             in ~/.config/fish/config.fish
  powershell   bearing completion powershell | Out-String | Invoke-Expression   in the file of $PROFILE`,
  examples: ['bash'],
  run: (cli, { shell }) => {
    cli.output.print(SCRIPTS[shell])
  },
})

verb('complete', {
  takes: { '<words...>': '' },
  run: async (cli, { words }) => {
    const contexts = () =>
      Object.keys(new ContextStore(cli.terminal.environment.configFolder).read().contexts)
    // PowerShell drops empty arguments.
    const typed = words.map((word) => (word === '""' ? '' : word))
    const { program } = cli
    await expandAlong(program, typed)
    for (const choice of choicesFor(program, typed, contexts))
      cli.output.print(choice.filter(Boolean).join('\t'))
  },
})
