export { findInvocation } from './invocations.ts'
export { KINDS, type Kind } from './kinds.ts'
export { notifications } from './tables.ts'
