/**
 * Formats that the OpenAPI document states but `validate` does not check. Operations check them
 * themselves, because their error messages say more than a generic validator's.
 */
export const DATE_FORMAT = { documented: { format: 'date' } }
export const DATE_OR_TIME_FORMAT = {
  documented: { anyOf: [{ format: 'date' }, { format: 'date-time' }] },
}
export const DATE_TIME_FORMAT = { documented: { format: 'date-time' } }
export const CONTENT_TYPE_FORMAT = {
  documented: { pattern: '^ *[A-Za-z]{1,20}/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,99} *(;.*)?$' },
}
