import { MAX_OBSERVATIONS } from '@bearing/contracts/location/observations/observation'
import type { Observation } from './observation-of.js'

/** Bytes of the observations of a submission: what stands around them has to fit into its body as well. */
const MOST_BYTES = 480 * 1_024

/** Cuts observations into submissions that a gateway takes. */
export async function* cutSubmissions(
  pieces: AsyncIterable<readonly Observation[]>,
): AsyncGenerator<Observation[]> {
  let submission: Observation[] = []
  let bytes = 0
  for await (const piece of pieces)
    for (const observation of piece) {
      const own = Buffer.byteLength(JSON.stringify(observation)) + 1
      if (submission.length === MAX_OBSERVATIONS || bytes + own > MOST_BYTES) {
        if (submission.length > 0) yield submission
        submission = []
        bytes = 0
      }
      submission.push(observation)
      bytes += own
    }
  if (submission.length > 0) yield submission
}
