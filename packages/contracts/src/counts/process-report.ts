import { z } from 'zod'

/** Report of a process to operators, as `report` of its reply to `$SRV.STATS`. It contains no secret. */
export const ProcessReport = z.object({
  name: z.string(),
  id: z.string(),
  version: z.string(),
  report: z.object({
    node: z.string().optional().describe('Kubernetes node that it runs on.'),
    now: z.iso.datetime().describe('Its clock.'),
    ready: z.boolean(),
    health: z.record(z.string(), z.string()).describe('What `/readyz` says.'),
    gauges: z.array(
      z.object({ name: z.string(), labels: z.record(z.string(), z.string()), value: z.number() }),
    ),
    unset_secrets: z.array(z.string()).describe('Names of its secret settings that have no value.'),
  }),
})
export type ProcessReport = z.output<typeof ProcessReport>
