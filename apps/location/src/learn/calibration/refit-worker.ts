import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { leaveOut, type SurveyedScan } from '@bearing/positioning/calibration/leave-out'
import { ownCalibration } from '@bearing/positioning/calibration/own-calibration'
import { unpackPage, type SurveyedPage } from './surveyed-page.js'

/** The least that there is: it gets a processor when nobody else wants it. */
const LOWEST_PRIORITY = 19
/** How many blocks scans are left out in, and how many of them are located: more say little that is new. */
const BLOCKS = 10
const MOST_LOCATED = 2_000

// On Linux, 0 is the calling thread alone (setpriority(2), "C library/kernel differences"); elsewhere the whole process.
if (process.platform === 'linux') setPriority(0, LOWEST_PRIORITY)

const scans: SurveyedScan[] = []

// The scans come page by page; null says that these were all.
parentPort?.on('message', (page: SurveyedPage | null) => {
  if (page) scans.push(...unpackPage(page))
  else parentPort?.postMessage(ownCalibration(leaveOut(scans, BLOCKS, MOST_LOCATED)))
})
