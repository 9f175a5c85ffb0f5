/** The part of Trusted Types that is used; browsers without them need no policy. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): unknown
}

/** Allows MapLibre to start its worker, which it names by a text, and nothing else. */
export function trustWorker(worker: string): void {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes }
  trustedTypes?.createPolicy('default', {
    createScriptURL: (url) => {
      if (url !== worker) throw new TypeError('Only the worker of the map may be started.')
      return url
    },
  })
}
