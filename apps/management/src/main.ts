import { readSettings } from '@bearing/service/ground/settings'
import { start } from '@bearing/service/run/start'
import { CONFIG, CONSTANTS } from './config.js'
import { runManagement } from './run-management.js'

start(() => runManagement(readSettings(CONFIG, process.env, CONSTANTS)))
