import type { OperationResult } from '../../kernel/dispatch.ts'
import type { AnyOperation } from '../../kernel/operation.ts'

/** Runs around the operation of a tool call: may ask a person before it, and after it. */
export type Intercept = (
  op: AnyOperation,
  input: Record<string, unknown>,
  run: () => Promise<OperationResult>,
) => Promise<OperationResult>

/** Thrown by an interceptor to end this round of a call with questions for the client. */
export class InputNeeded<Spec = unknown> extends Error {
  constructor(readonly spec: Spec) {
    super('The client must ask a person first')
  }
}
