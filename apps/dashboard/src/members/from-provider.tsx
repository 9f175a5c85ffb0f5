import type { ReactNode } from 'react'

/** A role that the role mapping of a connection gave. */
export function FromProvider({ children }: { readonly children: ReactNode }) {
  return (
    <>
      {children}{' '}
      <span className="badge" title="The groups of the user at the identity provider decide this role.">
        by groups
      </span>
    </>
  )
}
