import { join } from 'node:path'
import { launch, type Child } from '@bearing/local/child'
import { findOnPath, isExecutable, unpackFromDebian } from '@bearing/local/debian-package'
import { untilReady } from '@bearing/local/until-ready'
import { ROOT } from './root.js'

const PROXIES = {
  nginx: {
    path: 'usr/sbin/nginx',
    args: (directory: string) => ['-p', directory, '-c', 'nginx.conf', '-e', 'stderr'],
  },
  caddy: {
    path: 'usr/bin/caddy',
    args: (directory: string) => ['run', '--config', join(directory, 'Caddyfile'), '--adapter', 'caddyfile'],
  },
} as const
export type ProxyName = keyof typeof PROXIES

/** Starts a proxy of Debian with the configuration that is in a folder, and waits until it answers. */
export async function startProxy(
  name: ProxyName,
  directory: string,
  isReady: () => Promise<boolean>,
): Promise<Child> {
  const proxy = await launch({
    name,
    command: await find(name),
    args: PROXIES[name].args(directory),
    env: { HOME: directory },
    cwd: directory,
  })
  await untilReady(proxy, name, isReady)
  return proxy
}

async function find(name: ProxyName): Promise<string> {
  const onPath = await findOnPath(name)
  if (onPath !== undefined) return onPath
  const cache = join(ROOT, '.bearing', name)
  const cached = join(cache, PROXIES[name].path)
  if (!(await isExecutable(cached))) await unpackFromDebian(cache, [name])
  return cached
}
