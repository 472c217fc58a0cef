export { type Challenge, IssuerClient } from './client.ts'
export { IssuerProblem } from './problems.ts'
