import { world } from '../world.ts'

/** The OpenAPI document as the house serves it. */
export async function describedHouse(): Promise<string> {
  const { http } = await world()
  return (await http(undefined, 'GET', '/docs/json')).text
}
