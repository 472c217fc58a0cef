declare module '*.service' {
  const text: string
  export default text
}
declare module '*.env' {
  const text: string
  export default text
}
