import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { count, moment } from '../output/format.js'

export function addShowCalibration(location: Command, cli: Cli): void {
  location
    .command('calibration')
    .description('how radii are calibrated')
    .command('show', { isDefault: true }) // the command was once "calibration"
    .description('show how radii are calibrated, and how often they are right')
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
        null,
        calibration,
      )
      if (cli.output.forPrograms) return
      cli.output.print('')
      cli.output.print(
        fitted_at === null
          ? `Not calibrated yet: this needs ${count(needed)} scans of the organization with known positions.`
          : `Calibrated at ${moment(fitted_at)}: ${count(outcomes)} of ${count(scans)} scans were located from the others.`,
      )
    })
}
