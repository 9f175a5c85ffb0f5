import { readSettings } from '@bearing/service/ground/settings'
import { start } from '@bearing/service/run/start'
import { CONFIG, CONSTANTS } from './config.js'
import { runLocation } from './run-location.js'

start(() => runLocation(readSettings(CONFIG, process.env, CONSTANTS)))
