import { LinkSecret } from '@bearing/contracts/identity/people/link-secret'
import { useEffect, useState } from 'react'

let taken: string | undefined

/**
 * Returns the secret of a mailed link and takes it out of the address, so that neither history, a copied address nor a screenshot has
 * it. Undefined if the address has no usable secret.
 */
export function useLinkSecret(): string | undefined {
  const [secret, setSecret] = useState(takeLinkSecret)
  useEffect(() => {
    // A link that is opened where its page is open already changes only the part after the "#".
    const change = () => setSecret(takeLinkSecret())
    window.addEventListener('hashchange', change)
    return () => window.removeEventListener('hashchange', change)
  }, [])
  return secret
}

function takeLinkSecret(): string | undefined {
  const hash = window.location.hash.slice(1)
  if (hash !== '') {
    taken = LinkSecret.safeParse(hash).data
    window.history.replaceState(window.history.state, '', window.location.pathname + window.location.search)
  }
  return taken
}
