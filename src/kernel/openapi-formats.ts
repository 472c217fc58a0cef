/**
 * Formats that the OpenAPI document states but `validate` does not check. Operations check them
 * themselves, because their error messages say more than a generic validator's.
 */
export const DATE_FORMAT = { documented: { format: 'date' } }
export const DATE_OR_TIME_FORMAT = {
  documented: { anyOf: [{ format: 'date' }, { format: 'date-time' }] },
}
export const DATE_TIME_FORMAT = { documented: { format: 'date-time' } }
