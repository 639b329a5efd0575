/** The ids that the records of the tests carry. */
export const LOCATION_ID = '5f0c2a7e-6c1d-4a52-9b2e-0d7d3b1f8a01';
export const OTHER_LOCATION_ID = '6a1d3b8f-7d2e-4b63-8c3f-1e8e4c2a9b02';
export const CART_ID = '0b9f6a52-6f6e-4c1e-9d0f-3f1c2a7b8d11';
export const CART_ITEM_ID = '7c1f3d2a-9b4e-4f60-8a71-2d3c4b5a6f02';
export const MENU_ITEM_ID = '9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c03';
export const GROUP_ID = '1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c04';
export const MODIFIER_ID = '2b3c4d5e-6f7a-4b8c-9d0e-1f2a3b4c5d05';
export const ORDER_ID = '3c4d5e6f-7a8b-4c9d-8e1f-2a3b4c5d6e06';
export const PAYMENT_ID = '4d5e6f7a-8b9c-4d0e-9f2a-3b4c5d6e7f07';
export const KEY = 'c1f5a7a0-5b1e-4c0e-8d57-1a4c9e3b2f10';
export const OTHER_KEY = 'd2a6b8b1-6c2f-4d1f-9e68-2b5daf4c3a21';
