import { z } from 'zod'
import { operation } from '../../operation.js'
import { ProjectScope } from '../../primitives.js'
import { ScanProblem } from '../scans/scan-problem.js'
import { writeUsualLocation } from '../scans/usual-answer.js'
import { readUsualBatch } from '../scans/usual-scan.js'
import { WifiLocation, WifiScan, resolveWifiLocation } from './wifi.js'

/** The most scans of one request. */
export const MAX_BATCH_SCANS = 100
/** The largest request, in bytes: one NATS message, whatever its limit. */
export const MAX_BATCH_BYTES = 768 * 1_024

const {
  $schema: _,
  $defs: __,
  ...scanSchema
} = z.toJSONSchema(WifiScan, {
  io: 'input',
  unrepresentable: 'any',
  // Generated clients require fields of a named schema that have a default.
  override: ({ jsonSchema }) => {
    delete jsonSchema.default
  },
})

/** One scan, with what is wrong with it: that costs no other. */
const BatchScan = z
  .custom<z.input<typeof WifiScan>>()
  .meta({ ...scanSchema, id: 'WifiScan' })
  .transform((sent) => WifiScan.safeParse(sent))

/** The outcome of one scan: `location` or `error`. */
export const ScanOutcome = z
  .object({
    location: WifiLocation.nullable().optional().describe('The position; null if the scan wants no reply.'),
    error: ScanProblem.optional(),
  })
  .meta({ id: 'ScanOutcome' })
export type ScanOutcome = z.infer<typeof ScanOutcome>

/** Writes outcomes, those that are usual without the schema. */
function writeUsualBatch(output: unknown): string | undefined {
  const { results } = (output ?? {}) as { readonly results?: unknown }
  if (!Array.isArray(results)) return undefined
  const texts: string[] = []
  for (const result of results as readonly unknown[]) {
    const text = writeOutcome(result)
    if (text === undefined) return undefined
    texts.push(text)
  }
  return `{"results":[${texts.join(',')}]}`
}

function writeOutcome(outcome: unknown): string | undefined {
  const { location, error } = (outcome ?? {}) as Readonly<Record<string, unknown>>
  const usual = error === undefined ? writeUsualLocation(location) : undefined
  if (usual !== undefined) return `{"location":${usual}}`
  const read = ScanOutcome.safeParse(outcome)
  return read.success ? JSON.stringify(read.data) : undefined
}

export const resolveWifiBatch = operation({
  subject: 'location.v1.wifi.resolve-batch',
  summary: 'Turn up to 100 Wi-Fi scans into positions',
  description:
    'Each scan is one of `POST …/wifi`, with its own options and `device_id`. `results` has the outcome of each scan, in the order of the scans, and each is what a request of this scan alone would have had. A batch counts as as many requests as it has scans; if a limit does not have room for all of them, the whole batch is refused with `rate_limited`.',
  input: z.object({
    ...ProjectScope,
    scans: z.array(BatchScan).min(1).max(MAX_BATCH_SCANS).describe('1 to 100 scans.'),
  }),
  output: z
    .object({ results: z.array(ScanOutcome).describe('In the order of the scans.') })
    .meta({ id: 'WifiBatch' }),
  errors: ['rate_limited'],
  permission: resolveWifiLocation.permission,
  timeoutMs: 20_000,
  readUsual: (json, over) =>
    Object.keys(over).length > 0 ? undefined : readUsualBatch(json, MAX_BATCH_SCANS),
  writeUsual: writeUsualBatch,
  lenient: true,
})
