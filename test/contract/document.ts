import { world } from '../support/world.ts'

/** The OpenAPI document as the server returns it. */
export async function fetchOpenApi(): Promise<string> {
  const { http } = await world()
  return (await http(undefined, 'GET', '/openapi.json')).text
}
