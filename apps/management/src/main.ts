import { readSettings } from '@bearing/service/settings'
import { start } from '@bearing/service/start'
import { CONFIG, CONSTANTS } from './config.js'
import { runManagement } from './run-management.js'

start(() => runManagement(readSettings(CONFIG, process.env, CONSTANTS)))
