import { readSettings } from '@bearing/service/settings'
import { start } from '@bearing/service/start'
import { CONFIG, CONSTANTS } from './config.js'
import { runIdentity } from './run-identity.js'

start(() => runIdentity(readSettings(CONFIG, process.env, CONSTANTS)))
