/** `build.mjs` replaces this file with the pages that the index of the documentation lists. */
export const DOCUMENTATION: readonly { readonly title: string; readonly url: string }[] = []
