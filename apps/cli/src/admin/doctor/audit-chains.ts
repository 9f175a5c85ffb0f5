import { CHAIN_START, type ChainEnd } from '@bearing/access/audit-chain'
import {
  AuditHead,
  MAX_VERIFIED_ROWS,
  listAuditChains,
  verifyAuditChain,
  type AuditFault,
} from '@bearing/contracts/identity/audit/audit-log'
import type { Output } from '@bearing/contracts/operation'
import { z } from 'zod'
import { describeFault } from '../../audit/verify-audit-entries.js'
import type { Operator } from '../../session/operator.js'
import { counted } from '../../ground/output/format.js'
import { startProgress } from '../../ground/output/progress.js'
import { UsageError } from '../../ground/usage-error.js'
import type { Check, Finding } from './check.js'

type Chain = Output<typeof listAuditChains>['data'][number]

const NAME = 'audit-chains'

/** The part of an earlier report that this check compares. */
const Earlier = z.object({
  checks: z.array(z.looseObject({ name: z.string(), findings: z.array(z.object({ data: z.unknown() })) })),
})

/** A head in an earlier report. Old reports have no count of unchained rows. */
const KeptHead = AuditHead.extend({ unchained: z.int().min(0).optional() })
type KeptEnd = ChainEnd & { readonly unchained?: number | undefined }

/** Verifies every chain of the audit log. */
export const auditChains: Check = {
  name: NAME,
  run: async ({ cli, operator, earlier }) => {
    const kept = earlier === undefined ? new Map<string | null, KeptEnd>() : keptHeads(earlier)
    const chains = withKept(await listChains(operator), kept)
    const total = chains.reduce((sum, { length }) => sum + length, 0)
    using progress = startProgress(cli.output, 'Audit log', total)
    const findings: Finding[] = []
    let before = 0
    for (const chain of chains) {
      const onRows = (length: number) => {
        progress.update(before + length, counted(before + length, 'row'))
      }
      findings.push(await examine(operator, chain, kept.get(chain.organization_id), onRows))
      before += chain.length
    }
    return findings
  },
}

async function listChains(operator: Operator): Promise<Chain[]> {
  const chains: Chain[] = []
  let cursor: string | null = null
  do {
    const { data, next }: Output<typeof listAuditChains> = await operator.call(
      listAuditChains,
      cursor === null ? {} : { cursor },
    )
    chains.push(...data)
    cursor = next
  } while (cursor !== null)
  return chains
}

/** Chains of the earlier report are checked even if they are missing now. */
function withKept(chains: readonly Chain[], kept: ReadonlyMap<string | null, KeptEnd>): Chain[] {
  const listed = new Set(chains.map(({ organization_id }) => organization_id))
  const gone = [...kept.keys()].filter((id) => !listed.has(id))
  return [
    ...chains,
    ...gone.map((organization_id) => ({ organization_id, length: 0, hash: null, unchained: 0 })),
  ]
}

async function examine(
  operator: Operator,
  { organization_id, unchained }: Chain,
  kept: KeptEnd | undefined,
  onRows: (length: number) => void,
): Promise<Finding> {
  const { end, fault } = await follow(operator, organization_id, kept, onRows)
  // Bearing no longer writes unchained rows: new ones were inserted by something else.
  const isForged = kept?.unchained !== undefined && unchained > kept.unchained
  const before = unchained === 0 ? '' : `, ${counted(unchained, 'row')} before the chain`
  return {
    subject: organization_id === null ? 'no organization' : `organization ${organization_id}`,
    ok: fault === null && !isForged,
    detail: fault
      ? describeFault(fault)
      : isForged
        ? `${counted(unchained - (kept.unchained ?? 0), 'row')} outside of the chain since the earlier report`
        : `${counted(end.length, 'row')}${before}, head ${end.hash ?? 'none'}`,
    data: { organization_id, ...end, unchained, fault },
  }
}

/** In steps, because a chain may have millions of rows. One step ends at the earlier head, to compare it. */
async function follow(
  operator: Operator,
  chain: string | null,
  kept: KeptEnd | undefined,
  onRows: (length: number) => void,
): Promise<{ end: ChainEnd; fault: AuditFault | null }> {
  let end = CHAIN_START
  for (;;) {
    const toKept = (kept?.length ?? 0) - end.length
    const limit = toKept > 0 ? Math.min(toKept, MAX_VERIFIED_ROWS) : MAX_VERIFIED_ROWS
    const { after, done, fault } = await operator.call(verifyAuditChain, { chain, after: end, limit })
    end = after
    onRows(end.length)
    if (fault) return { end, fault }
    if (end.length === kept?.length && end.hash !== kept.hash)
      return { end, fault: { sequence: Math.max(1, end.length), id: null, fault: 'changed' } }
    if (!done) continue
    if (kept && end.length < kept.length)
      return { end, fault: { sequence: end.length + 1, id: null, fault: 'missing' } }
    return { end, fault: null }
  }
}

function keptHeads(earlier: unknown): Map<string | null, KeptEnd> {
  const report = Earlier.safeParse(earlier)
  const findings = report.data?.checks.find(({ name }) => name === NAME)?.findings
  const heads = z.array(KeptHead).safeParse(findings?.map(({ data }) => data))
  if (!heads.success)
    throw new UsageError('The file of --compare is not output of "bearing admin doctor --json".')
  return new Map(heads.data.map(({ organization_id, ...end }) => [organization_id, end]))
}
