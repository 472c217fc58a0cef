import { readProducts } from './read-products.ts' with { type: 'macro' }
import type { Product } from './read-products.ts'

/** The products that can be imported. */
export const PRODUCTS: readonly Product[] = readProducts()

/** The title of a product; the name of one that this version does not know. */
export const productTitle = (name: string) =>
  PRODUCTS.find((product) => product.name === name)?.title ?? name
