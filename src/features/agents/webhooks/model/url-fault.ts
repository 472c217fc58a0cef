import { fault } from '../../../../kernel/fault.ts'
import { FetchError } from '../../../../kernel/services.ts'

/** Why an address is refused, as an error of the field `url`. */
export function urlFault(error: unknown, url: string): unknown {
  if (!(error instanceof FetchError)) return error
  return fault.invalid('url', error.code, `url: ${error.message}`, url, error.hint)
}
