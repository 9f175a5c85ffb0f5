import { Secret } from '../parts/secret.js'

/** Shows recovery codes, once. */
export function RecoveryCodes({
  codes,
  onSaved,
}: {
  readonly codes: readonly string[]
  readonly onSaved: () => void
}) {
  return (
    <Secret secret={codes.join('\n')} of="the recovery codes" onSaved={onSaved}>
      <p className="quiet">
        Each works once in place of a code of the authenticator. Keep them away from the phone that has it.
      </p>
    </Secret>
  )
}
