import { readSettings } from '@bearing/service/ground/settings'
import { start } from '@bearing/service/run/start'
import { CONFIG, CONSTANTS } from './config.js'
import { runIdentity } from './run-identity.js'

start(() => runIdentity(readSettings(CONFIG, process.env, CONSTANTS)))
