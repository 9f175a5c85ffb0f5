import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'
import type { HashJob, HashOutcome } from './hash-workers.js'

/** The lowest priority: the thread runs when no other one needs the processor. */
const LOWEST_PRIORITY = 19

// On Linux, 0 means the calling thread (setpriority(2), "C library/kernel differences"); elsewhere the whole process.
if (process.platform === 'linux') setPriority(0, LOWEST_PRIORITY)

parentPort?.on('message', (job: HashJob) => {
  parentPort?.postMessage(outcomeOf(job))
})

function outcomeOf(job: HashJob): HashOutcome {
  try {
    if (job.kind === 'verify') return { right: verifySync(job.stored, job.password) }
    return { hash: hashSync(job.password, job.options) }
  } catch (error) {
    return { failure: String(error) }
  }
}
