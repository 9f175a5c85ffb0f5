import { expect, it } from '@jest/globals'
import type { Discovered } from '../../session/operator.js'
import { spread } from './processes.js'

/** Processes of services, each on a node; without one it does not run in Kubernetes. */
function findingsOf(...processes: readonly (readonly [name: string, node?: string])[]) {
  const found = processes.map(([name, node]) => ({ name, report: { node } })) as unknown as Discovered[]
  return spread.run({ found } as unknown as Parameters<typeof spread.run>[0])
}

it('the doctor names the node that all processes of a service share while there are others', async () => {
  const findings = await findingsOf(
    ['gateway', 'n1'],
    ['gateway', 'n1'],
    ['identity', 'n1'],
    ['identity', 'n2'],
  )
  expect(findings).toEqual([
    {
      subject: 'gateway',
      ok: false,
      detail: '2 on n1: all would stop with that node, restart the Deployment',
      data: { service: 'gateway', nodes: { n1: 2 } },
    },
    {
      subject: 'identity',
      ok: true,
      detail: '1 on n1, 1 on n2',
      data: { service: 'identity', nodes: { n1: 1, n2: 1 } },
    },
  ])
})

it('the doctor finds nothing wrong with one process, one node, or processes outside Kubernetes', async () => {
  const findings = [
    ...(await findingsOf(['gateway', 'n1'], ['gateway', 'n1'])),
    ...(await findingsOf(['gateway', 'n1'], ['identity', 'n2'])),
    ...(await findingsOf(['gateway'], ['gateway'])),
  ]
  expect(findings.map(({ ok }) => ok)).toEqual([true, true, true])
})
