import { start } from '@bearing/service/run-service'
import { readSettings } from '@bearing/service/settings'
import { v7 } from 'uuid'
import { Clock } from './clock.js'
import { CONFIG } from './config.js'
import { Identifiers } from './identifiers.js'
import { runLocation } from './run-location.js'

start(() =>
  runLocation(readSettings(CONFIG, process.env), {
    clock: new Clock(Date.now),
    identifiers: new Identifiers(() => v7()),
  }),
)
