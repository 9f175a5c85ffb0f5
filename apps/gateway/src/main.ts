import { start } from '@bearing/service/run-service'
import { readSettings } from '@bearing/service/settings'
import { CONFIG } from './config.js'
import { runGateway } from './run-gateway.js'

start(() => runGateway(readSettings(CONFIG, process.env)))
