// Code that runs inside a page. Tests compile without the types of browsers, which differ from those of Node where both have a name.

declare const document: {
  readonly body: { append(element: Probe): void }
  createElement(name: string): Probe
  readonly documentElement: {
    readonly outerHTML: string
    readonly scrollWidth: number
    readonly scrollHeight: number
    readonly clientWidth: number
  }
  readonly activeElement: unknown
  querySelectorAll(selector: string): Iterable<{ readonly value: string }>
  getElementsByTagName(name: string): { readonly length: number }
}
/** A control in a page. */
interface Control {
  readonly textContent: string
  closest(selector: string): { readonly rowIndex: number } | null
}

interface Probe {
  className: string
  remove(): void
}
declare function getComputedStyle(element: Probe): { readonly color: string }
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

/** Returns how high a page is, in CSS pixels. */
export function heightOf(): number {
  return document.documentElement.scrollHeight
}

/** Returns the number of requests that the page has sent, itself included. */
export function requestsOf(): number {
  return performance.getEntriesByType('resource').length + 1
}

/** Returns the number of elements of a page. */
export function elementsOf(): number {
  return document.getElementsByTagName('*').length
}

/** Leaves for the page before, as the button of the browser does. */
export function goBack(): void {
  history.back()
}

/** Returns the places of controls in a list of which each opens another dialog: of the same control in rows of a table the first. */
export function differentOpeners(controls: readonly unknown[]): number[] {
  const known = new Set<string>()
  return (controls as readonly Control[]).flatMap(({ textContent }, index) => {
    const control = controls[index] as Control
    const of = control.closest('tr') ? 'rows' : String(index)
    const key = `${textContent} of ${of}`
    if (known.has(key)) return []
    known.add(key)
    return [index]
  })
}

/** Returns whether an element has the focus. */
export function isFocused(element: unknown): boolean {
  return element === document.activeElement
}

declare class Image {
  src: string
  readonly width: number
  readonly height: number
  decode(): Promise<void>
}
declare class OffscreenCanvas {
  constructor(width: number, height: number)
  getContext(kind: '2d'): { drawImage(image: Image, x: number, y: number): void }
  convertToBlob(options: { type: string; quality: number }): Promise<Blob>
}

/** Returns a PNG as WebP, both in Base64. */
export async function webpOf(png: string): Promise<string> {
  const image = new Image()
  image.src = `data:image/png;base64,${png}`
  await image.decode()
  const canvas = new OffscreenCanvas(image.width, image.height)
  canvas.getContext('2d').drawImage(image, 0, 0)
  const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.6 })
  const bytes = new Uint8Array(await blob.arrayBuffer())
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

declare class DataTransfer {
  readonly items: { add(file: File): void }
}

/** Returns what a drag of a file carries. */
export function dragOf({ name, text }: { readonly name: string; readonly text: string }): DataTransfer {
  const drag = new DataTransfer()
  drag.items.add(new File([text], name))
  return drag
}

declare const navigator: { readonly clipboard: { readText(): Promise<string> } }

/** Returns what was copied last. */
export function clipboardOf(): Promise<string> {
  return navigator.clipboard.readText()
}

declare function requestAnimationFrame(draw: (time: number) => void): number
declare const window: { requestAnimationFrame: typeof requestAnimationFrame; frameAt?: number }

/** Notes when a page has asked for its last frame. Run before anything of the page. */
export function watchFrames(): void {
  const original = requestAnimationFrame
  window.requestAnimationFrame = (draw) => {
    window.frameAt = performance.now()
    return original((time) => {
      draw(time)
      window.frameAt = performance.now()
    })
  }
}

/** Waits until a page has asked for no frame for half a second. @returns when its last frame was, in milliseconds since it was opened */
export async function quietSince(): Promise<number> {
  for (;;) {
    const at = window.frameAt ?? 0
    await new Promise((resolve) => setTimeout(resolve, 500))
    if (at > 0 && window.frameAt === at) return at
  }
}

/** Returns the color of a class of the stylesheet: red, green and blue. */
export function colorOf(className: string): number[] {
  const probe = document.createElement('i')
  probe.className = className
  document.body.append(probe)
  const color = getComputedStyle(probe).color.match(/[\d.]+/g) ?? []
  probe.remove()
  return color.slice(0, 3).map(Number)
}

/** Waits for two frames of a page, so that effects of what it has received have run. */
export async function twoFrames(): Promise<void> {
  for (let frame = 0; frame < 2; frame++) await new Promise((resolve) => requestAnimationFrame(resolve))
}
