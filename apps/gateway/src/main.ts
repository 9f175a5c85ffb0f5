import { readSettings } from '@bearing/service/settings'
import { start } from '@bearing/service/start'
import { CONFIG, CONSTANTS } from './config.js'
import { runGateway } from './run-gateway.js'

start(() => runGateway(readSettings(CONFIG, process.env, CONSTANTS)))
