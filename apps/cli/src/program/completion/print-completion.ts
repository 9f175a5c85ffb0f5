import { Argument } from 'commander'
import { verb } from '../../session/verb.js'
import { bashCompletion } from './bash.js'
import { placesOf, type Place } from './command-tree.js'
import { fishCompletion } from './fish.js'
import { powershellCompletion } from './powershell.js'
import { zshCompletion } from './zsh.js'

type Shell = 'bash' | 'zsh' | 'fish' | 'powershell'

const SCRIPTS: Readonly<Record<Shell, (places: readonly Place[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
  powershell: powershellCompletion,
}

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
      if (command.parent) cli.output.print(SCRIPTS[shell](placesOf(command.parent)))
    }),
)
