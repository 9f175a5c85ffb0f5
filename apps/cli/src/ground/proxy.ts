const VARIABLES = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'] as const

/**
 * Sends the requests of `fetch` through the proxy of the environment, except to the hosts of `NO_PROXY`. Node does this itself only in
 * recent versions, and only if another variable was set before it started.
 */
export async function useProxy(environment: NodeJS.ProcessEnv): Promise<void> {
  if (!VARIABLES.some((name) => environment[name])) return
  const { EnvHttpProxyAgent, setGlobalDispatcher } = await import('undici')
  setGlobalDispatcher(new EnvHttpProxyAgent())
}

/** Returns what sends requests to this machine, which no proxy reaches. */
export async function withoutProxy(): Promise<NonNullable<RequestInit['dispatcher']>> {
  const { Agent } = await import('undici')
  return new Agent() as unknown as NonNullable<RequestInit['dispatcher']> // Node's types are of another version of the library
}
