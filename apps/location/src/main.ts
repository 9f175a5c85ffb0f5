import { randomBytes } from 'node:crypto'
import { start } from '@bearing/service/run-service'
import { readSettings } from '@bearing/service/settings'
import { v7 } from 'uuid'
import { Clock } from '@bearing/service/clock'
import { CONFIG } from './config.js'
import { Randomness } from '@bearing/service/randomness'
import { runLocation } from './run-location.js'

start(() =>
  runLocation(readSettings(CONFIG, process.env), {
    clock: new Clock(Date.now),
    randomness: new Randomness(v7, (length) => new Uint8Array(randomBytes(length))),
  }),
)
