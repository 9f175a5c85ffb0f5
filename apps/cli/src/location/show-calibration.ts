import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { count, moment } from '../output/format.js'

/** `bearing location calibration` */
export function addShowCalibration(location: Command, cli: Cli): void {
  location
    .command('calibration')
    .description('what the radii of positions are computed with, and how often they hold')
    .action(async () => {
      const { client, organization } = await cli.session()
      const calibration = await client.call('showCalibration', { organization })
      const { source, scans, outcomes, needed, fitted_at, held } = calibration
      const percent = (share: number | undefined) =>
        share === undefined ? '–' : `${(share * 100).toFixed(1)} %`
      cli.output.table(
        (['usual', 'own'] as const).map((kind) => ({ kind, held: held?.[kind] })),
        [
          ['Coefficients', ({ kind }) => (kind === 'own' ? "fitted to the organization's scans" : 'usual')],
          ['Used', ({ kind }) => (kind === source ? 'yes' : 'no')],
          ['68 % held', ({ held }) => percent(held?.p68), 'right'],
          ['95 % held', ({ held }) => percent(held?.p95), 'right'],
        ],
        calibration,
      )
      if (cli.output.json) return
      cli.output.print('')
      cli.output.print(
        fitted_at === null
          ? `Not looked at yet: that takes ${count(needed)} scans of the organization whose place is known.`
          : `Last looked at ${moment(fitted_at)}: ${count(outcomes)} of ${count(scans)} scans were located from the others.`,
      )
    })
}
