import type { Command } from 'commander'
import { checkConfirmed, printForgotten } from '../access-points/what-to-forget.js'
import type { Cli } from '../cli.js'
import { cellToForget } from './cell-to-forget.js'

/** `bearing cells forget` */
export function addForgetCells(cells: Command, cli: Cli): void {
  cells
    .command('forget')
    .description('remove a radio cell of your organization permanently')
    .argument('<cell>', 'radio, mcc, mnc, area, cell, in this order: lte,262,1,7001,25600001')
    .requiredOption('--confirm <cell>', 'the cell again, as confirmation')
    .addHelpText(
      'after',
      `
Neither an import nor an observation brings it back, and it cannot be undone. It is gone from look-ups at once, and from what was
contributed and stored soon after. What was heard of cells in an area goes with it: "bearing access-points forget --area". The
shared cells are the operator's: "bearing admin forget --cell".`,
    )
    .action(async (text: string, { confirm }: { readonly confirm: string }) => {
      const cell = cellToForget(text)
      checkConfirmed(text, confirm)
      const { client, organization } = await cli.session()
      printForgotten(cli, await client.call('forgetCell', { organization, ...cell }), 'radio cell')
    })
}
