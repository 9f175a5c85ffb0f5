// What runs inside a page. Tests compile without the types of browsers, which differ from those of Node where both have a name.

declare const document: {
  readonly documentElement: {
    readonly outerHTML: string
    readonly scrollWidth: number
    readonly clientWidth: number
  }
  querySelectorAll(selector: string): Iterable<{ readonly value: string }>
}
declare const localStorage: object
declare const sessionStorage: object
declare const history: { readonly state: unknown; back(): void }
declare const location: { readonly href: string }

/** Returns every place of a page in which text can stay. */
export function placesOf() {
  return {
    document: document.documentElement.outerHTML,
    fields: [...document.querySelectorAll('input, textarea')].map(({ value }) => value),
    local: JSON.stringify({ ...localStorage }),
    session: JSON.stringify({ ...sessionStorage }),
    history: JSON.stringify(history.state),
    address: location.href,
  }
}

/** Returns how many CSS pixels of a page are beyond its right edge, and have to be scrolled to. */
export function overflowOf(): number {
  // A gutter is kept for the scroll bar, and is not part of the width.
  return Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)
}

/** Leaves for the page before, as the button of the browser does. */
export function goBack(): void {
  history.back()
}
