import { Option } from 'commander'
import { wholeNumber } from '../whole-number.js'

const MAX_JOBS = 16

/** `--jobs`: concurrent uploads. */
export function jobsOption(): Option {
  return new Option('--jobs <number>', `concurrent files, 1 to ${String(MAX_JOBS)}`)
    .default(4)
    .argParser(wholeNumber(1, MAX_JOBS))
}
