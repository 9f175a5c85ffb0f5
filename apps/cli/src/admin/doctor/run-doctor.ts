import { readFile } from 'node:fs/promises'
import { reportPeppers } from '@bearing/contracts/identity/credentials/pepper'
import type { Output } from '@bearing/contracts/operation'
import { verb, NATS_URL } from '../../session/verb.js'
import type { Cli } from '../../session/cli.js'
import { UsageError } from '../../ground/usage-error.js'
import { withOperator } from '../../session/with-operator.js'
import { auditChains } from './audit-chains.js'
import type { Check, Finding } from './check.js'
import { certificates } from './certificates.js'
import { limits, migrations, processes, queues, spread } from './processes.js'
import { counted } from '../../ground/output/format.js'

/** The findings of a check. */
interface Checked {
  readonly name: string
  readonly ok: boolean
  readonly findings: readonly Finding[]
}

verb('admin doctor', {
  about: 'check processes, queues and data integrity; for operators, over NATS',
  takes: { ...NATS_URL, '--compare <file>': 'output of an earlier "bearing admin doctor --json"' },
  help: `It asks each process for its version, node, migrations, queues, clock, limits that refused something, and the names of secrets
without a value; if BEARING_URL is https, it reads the certificate there. It follows the chain of every organization's audit log, and counts the credentials under each pepper. Store the output of
--json somewhere else: --compare finds deleted rows at the end and rewritten chains, which no chain can show alone. Exits
with 1 if anything is wrong.`,
  run: async (cli, { natsUrl, compare }) => {
    const earlier = compare === undefined ? undefined : await readReport(compare)
    const checks = await withOperator(cli, natsUrl, async (operator) => {
      const found = await operator.discover()
      const done: Checked[] = []
      for (const { name, run } of CHECKS) {
        const findings = await run({ cli, operator, found, earlier })
        done.push({ name, ok: findings.every(({ ok }) => ok), findings })
      }
      return done
    })
    printChecks(cli, checks)
  },
})

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
    { Check: 'name', Of: 'subject', State: (finding) => (finding.ok ? 'ok' : 'BROKEN'), Details: 'detail' },
    null,
    { ok, checks },
  )
  if (ok) cli.output.done('Nothing is wrong.')
  else {
    cli.exitCode = 1
    cli.output.notice('Checks failed. See docs/troubleshooting.md and docs/audit-log.md.')
  }
}

type Pepper = Output<typeof reportPeppers>['peppers'][number]

/** Counts the credentials of each pepper: an old pepper is needed while credentials use it. */
const peppers: Check = {
  name: 'peppers',
  run: async ({ operator }) => {
    const { current, peppers } = await operator.call(reportPeppers, {})
    return peppers.map((pepper) => ({
      subject: `pepper ${pepper.id}`,
      ok: pepper.configured || credentialsUnder(pepper) === 0,
      detail: describePepper(pepper, pepper.id === current),
      data: { ...pepper, current: pepper.id === current },
    }))
  },
}

/** The checks, in order. */
const CHECKS: readonly Check[] = [
  processes,
  spread,
  migrations,
  queues,
  limits,
  certificates,
  auditChains,
  peppers,
]

/** Counts the credentials that could not be verified without a pepper. */
export function credentialsUnder(pepper: Pepper): number {
  const { organization_tokens, user_keys } = pepper
  const { sessions = 0, second_factors = 0, sso_connections = 0, onboarding_tokens = 0 } = pepper
  const others = second_factors + sso_connections + onboarding_tokens
  return organization_tokens + user_keys + sessions + others
}

function describePepper(pepper: Pepper, isCurrent: boolean): string {
  const credentials = counted(credentialsUnder(pepper), 'credential')
  if (!pepper.configured) return `${credentials} receive 503: put the pepper back into IDENTITY_PEPPERS`
  if (isCurrent) return `${credentials}, and all new ones`
  return credentialsUnder(pepper) === 0
    ? 'no longer needed: bearing admin peppers retire'
    : `${credentials} still ${credentialsUnder(pepper) === 1 ? 'uses' : 'use'} this old one; a credential moves when it is used`
}
