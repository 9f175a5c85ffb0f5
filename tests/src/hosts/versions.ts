import { setTimeout as sleep } from 'node:timers/promises'
import type { HostStack, Placement } from '@bearing/testing/hosts/host-stack'
import { eventually } from '@bearing/testing/eventually'
import { boundedShare } from './faults.js'
import type { Fault, Lab } from './run-fault.js'
import { sendChunk } from './traffic.js'

/** Time for which a mix of versions serves, in milliseconds. */
const MIX_MS = 15_000
/** Number of requests of which none may fail while every process is replaced; and time to wait for them, in milliseconds. */
const [REQUESTS, WITHIN_MS] = [3_000, 120_000]

/** The folder of the checkout that a process is to be of; nothing for this one. */
type Arrangement = (placement: Placement) => string | undefined

/** Each process of two versions beside each other, and rolling replacements between them. @param former checkout of version N−1 */
export function versionFaults(former: string): readonly Fault[] {
  const mix = (name: string, title: string, arrangement: Arrangement): Fault => ({
    name,
    title,
    bar: 'no request fails; a revoked device key stays revoked',
    happen: async (lab, requests) => {
      const beganMs = performance.now()
      await arrange(lab.stack, arrangement)
      await sleep(MIX_MS)
      await requireRevoked(lab)
      return boundedShare(requests, beganMs, 0)
    },
  })
  const isGateway = ({ process }: Placement) => process === 'gateway'
  const isFirst = ({ host }: Placement) => host.endsWith('1')
  return [
    mix('rollback', 'every process replaced by version N−1', () => former),
    {
      name: 'upgrade',
      title: 'every process of N−1 replaced by version N',
      bar: `no request of ≥ ${String(REQUESTS)} fails`,
      happen: async ({ stack }, requests) => {
        await arrange(stack, () => former)
        const beganMs = performance.now()
        await arrange(stack, () => undefined)
        while (requests.since(beganMs).length < REQUESTS && performance.now() < beganMs + WITHIN_MS)
          await sleep(500)
        return boundedShare(requests, beganMs, 0)
      },
    },
    mix('former-services', 'gateways N, services N−1', (one) => (isGateway(one) ? undefined : former)),
    mix('former-gateways', 'gateways N−1, services N', (one) => (isGateway(one) ? former : undefined)),
    mix('one-of-each', 'one of each process N, the other N−1', (one) => (isFirst(one) ? former : undefined)),
  ]
}

/** @throws if a gateway does not refuse the device whose key was revoked, with 403 */
async function requireRevoked({ stack, principals }: Lab): Promise<void> {
  for (const gateway of stack.gatewayUrls)
    await eventually(async () => {
      const status = await sendChunk(gateway, principals.revoked, 'revoked')
      if (status !== 403) throw new Error(`a revoked device key was answered ${String(status)}`)
    })
}

/** Replaces each process that is not of the checkout that it is to be of, one after the other. */
async function arrange(stack: HostStack, arrangement: Arrangement): Promise<void> {
  for (const placement of stack.placements) {
    const root = arrangement(placement)
    if (placement.root !== root) await replace(stack, placement, root)
  }
}

async function replace(stack: HostStack, { root: _, ...placement }: Placement, root?: string): Promise<void> {
  await stack.remove(placement)
  await stack.add({ ...placement, ...(root !== undefined && { root }) })
}
