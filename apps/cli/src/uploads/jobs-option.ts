import { InvalidArgumentError, Option } from 'commander'

const MAX_JOBS = 16

/** `--jobs`: how many files are uploaded at the same time. */
export function jobsOption(): Option {
  return new Option('--jobs <number>', `files at the same time, 1 to ${String(MAX_JOBS)}`)
    .default(4)
    .argParser((text) => {
      const jobs = /^\d{1,3}$/.test(text) ? Number(text) : 0
      if (jobs < 1 || jobs > MAX_JOBS)
        throw new InvalidArgumentError(`It is a whole number from 1 to ${String(MAX_JOBS)}.`)
      return jobs
    })
}
