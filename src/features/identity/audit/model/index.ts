export { noteFailedSignIn } from './failures.ts'
