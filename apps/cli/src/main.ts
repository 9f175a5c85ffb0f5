#!/usr/bin/env node
import module from 'node:module'
import { isAbsolute, join } from 'node:path'

// Compiled code is kept in a folder of the user: in a shared one others could replace it. Node 20 has no such cache.
const { XDG_CACHE_HOME: xdg = '', HOME: home = '', NODE_COMPILE_CACHE: given } = process.env
const cache = isAbsolute(xdg) ? xdg : isAbsolute(home) ? join(home, '.cache') : undefined
if (cache !== undefined && given === undefined && 'enableCompileCache' in module)
  module.enableCompileCache(join(cache, 'bearing'))
// Later than the cache. No top-level await: single executables are CommonJS.
void import('./program/start.js').then(({ start }) => start(process.env))
