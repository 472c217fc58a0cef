const page = globalThis.document?.documentElement
const tag = page?.dataset.locale || page?.lang || undefined

/**
 * The tag for dates and numbers, from the server. Undefined, outside of a page, means that of the
 * machine. The texts contain European digits, so Arabic dates have them too.
 */
export const locale = tag?.startsWith('ar') ? `${tag}-u-nu-latn` : tag
