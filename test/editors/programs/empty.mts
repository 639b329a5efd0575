export const empty = 1;
