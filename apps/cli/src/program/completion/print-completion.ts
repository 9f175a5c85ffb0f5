import { Argument } from 'commander'
import { ContextStore } from '../../session/context-store.js'
import { verb } from '../../session/verb.js'
import { expandAlong } from '../expand.js'
import { choicesFor } from './choices.js'
import { SCRIPTS, type Shell } from './scripts.js'

verb('completion', { examples: ['bash'] }, (command, cli) =>
  command
    .description('print a completion script for your shell')
    .addArgument(new Argument('<shell>', 'your shell').choices(Object.keys(SCRIPTS)))
    .addHelpText(
      'after',
      `
  bash         eval "$(bearing completion bash)"            in ~/.bashrc
  zsh          eval "$(bearing completion zsh)"             in ~/.zshrc, after compinit
  fish         bearing completion fish | source             in ~/.config/fish/config.fish
  powershell   bearing completion powershell | Out-String | Invoke-Expression   in the file of $PROFILE`,
    )
    .action((shell: Shell) => {
      cli.output.print(SCRIPTS[shell])
    }),
)

verb('complete', { hidden: true }, (command, cli) =>
  command
    .description('print what can be the last word of a command line; the completion scripts call it')
    .argument('<words...>')
    .action(async (words: string[]) => {
      const contexts = () =>
        Object.keys(new ContextStore(cli.terminal.environment.configFolder).read().contexts)
      // PowerShell drops empty arguments.
      const typed = words.map((word) => (word === '""' ? '' : word))
      const program = command.parent ?? command
      await expandAlong(program, typed)
      for (const choice of choicesFor(program, typed, contexts))
        cli.output.print(choice.filter(Boolean).join('\t'))
    }),
)
