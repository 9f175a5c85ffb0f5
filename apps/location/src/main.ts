import { readSettings } from '@bearing/service/settings'
import { start } from '@bearing/service/start'
import { CONFIG, CONSTANTS } from './config.js'
import { runLocation } from './run-location.js'

start(() => runLocation(readSettings(CONFIG, process.env, CONSTANTS)))
