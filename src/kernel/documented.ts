/**
 * What the OpenAPI document says of a text beyond what is validated: operations check these rules
 * by themselves, because their refusals say more than a validator's.
 */
export const AS_DAY = { documented: { format: 'date' } }
export const AS_DATE = { documented: { anyOf: [{ format: 'date' }, { format: 'date-time' }] } }
export const AS_MOMENT = { documented: { format: 'date-time' } }
