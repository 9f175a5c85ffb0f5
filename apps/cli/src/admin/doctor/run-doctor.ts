import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import type { Cli } from '../../cli.js'
import { VARIABLES } from '../../environment.js'
import { FLAGS } from '../../flags.js'
import { UsageError } from '../../usage-error.js'
import { withOperator } from '../with-operator.js'
import { auditChains } from './audit-chains.js'
import type { Check, Finding } from './check.js'
import { peppers } from './peppers.js'

/** The checks, in order. */
const CHECKS: readonly Check[] = [auditChains, peppers]

interface DoctorFlags {
  readonly natsUrl?: string
  readonly compare?: string
}

/** The findings of a check. */
interface Checked {
  readonly name: string
  readonly ok: boolean
  readonly findings: readonly Finding[]
}

export function addRunDoctor(admin: Command, cli: Cli): void {
  admin
    .command('doctor')
    .description('check data integrity; for operators, over NATS')
    .option(`${FLAGS.natsUrl} <url>`, `URL of NATS [${VARIABLES.natsUrl}]`)
    .option('--compare <file>', 'output of an earlier "bearing admin doctor --json"')
    .addHelpText(
      'after',
      `
It follows the chain of every organization's audit log, and counts the credentials under each pepper. Store the output of
--json somewhere else: --compare finds deleted rows at the end and rewritten chains, which no chain can show alone. Exits
with 1 if anything is wrong.`,
    )
    .action(async ({ natsUrl, compare }: DoctorFlags) => {
      const earlier = compare === undefined ? undefined : await readReport(compare)
      const checks = await withOperator(cli, natsUrl, async (operator) => {
        const done: Checked[] = []
        for (const { name, run } of CHECKS) {
          const findings = await run({ cli, operator, earlier })
          done.push({ name, ok: findings.every(({ ok }) => ok), findings })
        }
        return done
      })
      printChecks(cli, checks)
    })
}

async function readReport(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new UsageError(
        'The file of --compare is not JSON. Use the output of "bearing admin doctor --json".',
      )
    throw new UsageError('The file of --compare cannot be read. Check its path.')
  }
}

function printChecks(cli: Cli, checks: readonly Checked[]): void {
  const ok = checks.every((check) => check.ok)
  const rows = checks.flatMap(({ name, findings }) => findings.map((finding) => ({ name, ...finding })))
  cli.output.table(
    rows,
    [
      ['Check', ({ name }) => name],
      ['Of', ({ subject }) => subject],
      ['State', (finding) => (finding.ok ? 'ok' : 'BROKEN')],
      ['Details', ({ detail }) => detail],
    ],
    null,
    { ok, checks },
  )
  if (ok) cli.output.done('Nothing is wrong.')
  else {
    cli.exitCode = 1
    cli.output.notice('Checks failed. See docs/audit-log.md and docs/operations.md.')
  }
}
