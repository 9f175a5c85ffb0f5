/** Keys that do the same as a control, for eyes only: `aria-keyshortcuts` of the control says them to screen readers. */
export function Keys({ keys }: { readonly keys: readonly string[] }) {
  return (
    <span className="keys" aria-hidden="true">
      {keys.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  )
}
